/* Switching fibres on x86-64 (System V ABI): the callee-saved registers go to the stack that is
 * left and come from the one that is entered.  The floating-point control words are the same in all
 * fibres of a thread.  A jump, not a return: the processor's stack of return addresses belongs to
 * the fibre that is left. */
#ifdef __x86_64__
        .text
        .globl  mpl_fibre_switch
        .hidden mpl_fibre_switch
        .type   mpl_fibre_switch, @function
        .p2align 4
mpl_fibre_switch: /* (void **save, void *to) */
        .cfi_startproc
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        .cfi_adjust_cfa_offset 48
        .cfi_rel_offset %rbp, 40
        .cfi_rel_offset %rbx, 32
        .cfi_rel_offset %r12, 24
        .cfi_rel_offset %r13, 16
        .cfi_rel_offset %r14, 8
        .cfi_rel_offset %r15, 0
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        .cfi_adjust_cfa_offset -48
        .cfi_restore %rbp
        .cfi_restore %rbx
        .cfi_restore %r12
        .cfi_restore %r13
        .cfi_restore %r14
        .cfi_restore %r15
        popq    %rcx
        .cfi_adjust_cfa_offset -8
        .cfi_register %rip, %rcx
        jmpq    *%rcx
        .cfi_endproc
        .size   mpl_fibre_switch, .-mpl_fibre_switch

/* Where a new fibre begins: the entry in %r12, its argument in %r13 (fibre.c).  Nothing lies above
 * it, which the undefined return address tells debuggers and exceptions. */
        .globl  mpl_fibre_begin
        .hidden mpl_fibre_begin
        .type   mpl_fibre_begin, @function
        .p2align 4
mpl_fibre_begin:
        .cfi_startproc
        .cfi_undefined %rip
        xorl    %ebp, %ebp
        movq    %r13, %rdi
        callq   *%r12
        ud2
        .cfi_endproc
        .size   mpl_fibre_begin, .-mpl_fibre_begin
#endif
        .section .note.GNU-stack, "", %progbits
