import Arguments

let slotTopic = Topic(
  name: "slot", summary: "Whose tokens a command uses: user, implicit, anonymous",
  text: """
    A profile has three places for tokens, its credential slots. Each has tokens of its own, and is filled in its own \
    way. An option names the slot in every command ({fetch}, {token}, {login}, {logout}, {exec}):

    * `--user`: the tokens of the person who logged in by {login}. It is the default.
    * `--implicit`: tokens of the same user with fewer scopes, which are obtained without a person: by token \
    exchange, or silently at the authorization server.
    * `--anonymous`: tokens of this installation, without a user. They are obtained with the client credentials of \
    {register} when they are needed, so that nobody logs in.

    `sdkctl fetch --unauth` uses no slot, and sends no token.

    `sdkctl status` and `sdkctl token list` show what each slot has. `sdkctl logout` empties the slot of the user. Each \
    user of a profile (`--user-id`) has slots `user` and `implicit` of their own.
    """)
