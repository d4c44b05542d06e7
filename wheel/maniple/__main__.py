from maniple import main

main()
