// The message of the Error that `work` throws; "" if it throws none.
#pragma once

#include <exception>
#include <string>

template <class Error = std::exception, class Work>
std::string message_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
