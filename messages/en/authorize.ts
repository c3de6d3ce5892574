/** The page on which a person connects a client to an account. */
export default {
  connectName: "Connect {name}?",
  thisClientWantsToRun: "This client wants to run models in your name, {name}.",
  thisClientCannotBeConnected: "This client cannot be connected",
  noDataWasSharedWith: "No data was shared with the client.",
  accountToConnect: "Account to connect",
  account: "Account",
  nobodyHasCheckedWhoThis:
    "Nobody has checked who this client is: it registered itself, and could use any name. Continue only if you have just started the connection yourself.",
  connectAClient: "Connect a client",
  aParameterOccursTwice: "A parameter in the client’s address occurs twice.",
  client: "Client",
  knownAs: "Known as",
  unknownClient: "unknown: the client registered itself",
  returnsTo: "Returns to",
  goesTo:
    "{kind, select, web {{host}} this_device {a program on this device ({host})} other {an app on this device ({host})}}",
  hostConfirms: "<b>{host}</b> confirms that this is its client. The client chose its own name.",
} as const;
