/* Shared by the pages of `maniple build --report` and `maniple profile --report`: one file each,
 * which needs no other. */
#ifndef MPL_CLI_HTML_H
#define MPL_CLI_HTML_H

#include <stddef.h>
#include <stdio.h>

/* From the document's type to its heading; `style` is added to the common one. */
void mpl_html_begin(FILE *, const char *title, const char *style);
void mpl_html_end(FILE *);

/* Text, its special characters escaped; controls but tabs are left out. */
void mpl_html_put(FILE *, const char *text);
void mpl_html_put_some(FILE *, const char *text, size_t length);

#endif
