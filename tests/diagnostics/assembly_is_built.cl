// launch: 1 1
/* Instructions, labels, comments, alternatives for the two syntaxes. */
kernel void k(void) {
  int x = 1;
  __asm__("add $1, %0" : "+r"(x));
  __asm__("add{l $2, %0| %0, 2}" : "+r"(x));
  __asm__ volatile("jmp 1f # forward\n\t"
                   "1: nop; .Lhere%=: nop /* two */; nop\n"
                   "there%=:\n\t// nothing" ::: "memory");
  printf("%d\n", x);
}
