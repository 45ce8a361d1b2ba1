// A library that cannot be opened, because the library that it needs is not where the loader looks.
extern "C" {
int cuInit(unsigned);
int needy() { return cuInit(0); }
}
