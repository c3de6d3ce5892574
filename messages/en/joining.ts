/** Accepting an invitation to an account. */
export default {
  pageTitle: "Invitation",
  title: "Join an account",
  description: "Somebody invited you to work with them in Gatehouse.",
  loading: "Loading the invitation…",
  replacedLink: "This link was replaced",
  replacedLinkAdvice: "There is a newer link for this invitation. Use that one.",
  invited:
    "{named, select, yes {{by}} other {Somebody}} invited <b>{email}</b> to join the account <b>{account}</b>. Your role will be {role, select, owner {owner} admin {admin} member {member} viewer {viewer} billing {billing} other {{role}}}.",
  ways: "How to join",
  isNew: "I am new here",
  isKnown: "I already have an account here",
  signedInWithKey:
    "You are signed in with the key “{name}”. The invitation is for <b>{invited}</b>. If you join as {invited}, that session ends in this browser.",
  signedInAs:
    "You are signed in as {name} ({email}). The invitation is for <b>{invited}</b>. If you join as {invited}, that session ends in this browser.",
  joinAs: "Join as {email}",
  staySignedIn: "Stay signed in",
  joinWith: "Join with {name}",
  providerAddress: "Your account at the provider must have the address {email}.",
  join: "Join",
  joinAccount: "Join {account}",
  signInToJoin: "Sign in as {email} to join.",

  // Invitations that are not open, by their state.
  accepted: "This invitation was accepted",
  acceptedAdvice:
    "The link works once. If you accepted the invitation, sign in. If not, tell the person who invited you.",
  expired: "This invitation has expired",
  expiredAdvice: "Ask the person who invited you for a new link.",
  revoked: "This invitation was revoked",
  revokedAdvice: "Ask the person who invited you for a new link.",
  replaced: "This invitation was replaced",
  replacedAdvice: "There is a newer invitation for the same address. Use its link.",
} as const;
