/** E-mails. */
export default {
  open: "Open",
  showAll: "Show all",
  settings: "Settings",
  more: "{count, number} more",
  moreInConsole: "{count, number} more in the console",
  moreText: "The console has all of them.",
  notices: "{count, number} notices",
  inAccount: "{subject} ({account})",
  why: "You get this because of your notification settings:",

  invitation: "{by} invites you to {account}",
  invitationTitle: "Join {account}",
  invitationText:
    "{by} invites you to the account {account} as {role, select, owner {owner} admin {admin} member {member} viewer {viewer} billing {billing} other {{role}}}. Open this link to join. It works once, until {until}.",
  invitationAction: "Join",
  invitationElse: "If you do not expect this, ignore it.",
  somebody: "Somebody",

  password_reset: "Set a new password",
  password_resetText:
    "Somebody requested a link to set a new password for {email}. It works once, until {until}. Setting one signs you out everywhere.",
  password_resetAction: "Set a new password",
  password_resetElse: "If that was not you, ignore this: your password stays as it is.",

  email_change: "Confirm your new e-mail address",
  email_changeText:
    "Somebody wants to sign in with this address instead of {from}. Open this link to confirm. It works once, until {until}.",
  email_changeAction: "Confirm",
  email_changeElse: "If that was not you, ignore this: nothing changes.",

  email_changed: "Your e-mail address was changed",
  email_changedText:
    "You sign in with {to} from now on; this address no longer works. It was changed from {ip}.",
  email_changedElse:
    "If it was not you, tell an owner of your account or the operator of this installation at once.",
  unknownAddress: "an unknown address",

  test: "Test e-mail from Gatehouse",
  testTitle: "E-mail works",
  testText: "An operator sent this to check the mail settings.",
  testElse: "You need not do anything.",
} as const;
