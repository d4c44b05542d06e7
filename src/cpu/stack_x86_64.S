/* A call on another stack, for x86-64 (System V ABI).  The frame pointer leads debuggers back. */
#ifdef __x86_64__
        .text
        .globl  mpl_stack_enter
        .hidden mpl_stack_enter
        .type   mpl_stack_enter, @function
        .p2align 4
mpl_stack_enter: /* (void (*function)(void *), void *data, void *top) */
        .cfi_startproc
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        movq    %rdi, %rax
        movq    %rsi, %rdi
        movq    %rdx, %rsp
        callq   *%rax
        movq    %rbp, %rsp
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   mpl_stack_enter, . - mpl_stack_enter
#endif
        .section .note.GNU-stack, "", @progbits
