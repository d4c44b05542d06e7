/* What would run when the program is loaded, or stand where it does not belong. */
__attribute__((constructor)) void begin(void) {}
__attribute__((destructor)) void end(void) {}

void *choose(void) { return 0; }
void chosen(void) __attribute__((ifunc("choose")));
__attribute__((target_clones("avx2", "default"))) int twice(int x) { return 2 * x; }

__attribute__((section(".init_array"))) constant ulong word = 0x41414141;
__attribute__((section(".fini"))) void at_end(void) {}
#pragma clang section bss=".mine"
global int zero;
#pragma clang section bss=""
#pragma comment(lib, "mine")

/* C has no objects that clang would construct by functions of such names. */
__attribute__((constructor)) void _GLOBAL__mine(void) {}

kernel void k(global int *out) {
  chosen();
  out[0] = twice((int)word) + zero;
}
