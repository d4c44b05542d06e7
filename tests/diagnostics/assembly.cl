/* Assembly that is more than instructions and labels. */
__asm__("foo: ret\n.globl foo");

/* Names that the assembler would read as something else. */
constant int quoted __asm__("a\\\";.section .init_array;") = 1;
constant int dotted __asm__(".section") = 2;

kernel void k(global int *out) {
  __asm__ volatile(".section .init_array");
  __asm__ volatile("nop; 1: here%=: .data\n");
  __asm__ volatile("nop /*\n*/ .incbin \"/etc/hostname\"");
  __asm__ volatile("value = 5");
  __asm__ volatile("{nop|.text}");
  __asm__ volatile("no{p; .tex|p}{t|}");
  __asm__ volatile("nop %c0" ::"i"(&quoted));
  __asm__ volatile("{%c0|} .init_array" ::"i"(&dotted));
  out[0] = 1;
}
