/** The frame of every signed-in page: rail, top bar, notices, and what is missing. */
export default {
  backTo: "Back to {account, select, none {the account} other {{account}}}",
  forAllAccounts: "For all accounts",
  readAbout: "Read about this page",
} as const;
