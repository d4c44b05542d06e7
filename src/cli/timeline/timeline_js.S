/* The page's script, as it stands in timeline.js. */
  .section .rodata
  .globl mpl_timeline_script
  .type mpl_timeline_script, %object
mpl_timeline_script:
  .incbin "timeline.js"
  .byte 0
  .size mpl_timeline_script, . - mpl_timeline_script
  .section .note.GNU-stack, "", %progbits
