# What the preprocessor leaves of a *.h.in: "@n" ends a line, "@+" at the end of one goes on in the
# next, '@' at the beginning of one stands for '#', and no space is left between a macro's name and its
# parameters.
s/ *@n */\n/g
s/ *@+ *$/ \\/
s/^ *@/#/
s/\n *@/\n#/g
s/#define \([a-z_0-9]*\) (/#define \1(/g
