/* A call on another stack, for AArch64 (AAPCS64).  The frame pointer leads debuggers back. */
#ifdef __aarch64__
        .text
        .globl  mpl_stack_enter
        .hidden mpl_stack_enter
        .type   mpl_stack_enter, %function
        .p2align 4
mpl_stack_enter: /* (void (*function)(void *), void *data, void *top) */
        .cfi_startproc
        stp     x29, x30, [sp, #-16]!
        .cfi_adjust_cfa_offset 16
        .cfi_rel_offset x29, 0
        .cfi_rel_offset x30, 8
        mov     x29, sp
        .cfi_def_cfa_register x29
        mov     x9, x0
        mov     x0, x1
        mov     sp, x2
        blr     x9
        mov     sp, x29
        ldp     x29, x30, [sp], #16
        .cfi_def_cfa sp, 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size   mpl_stack_enter, . - mpl_stack_enter
#endif
        .section .note.GNU-stack, "", %progbits
