import Commands

Launch.main()
