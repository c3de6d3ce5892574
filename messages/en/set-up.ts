/** The first account of an installation. */
export default {
  pageTitle: "Set up",
  title: "Set up Gatehouse",
  description: "Create the first account; you will be its owner.",
  token: "Set-up token",
  tokenHint:
    "Open the one-time link that the gateway printed in its terminal, or paste the part after its # here.",
  tokenMissing: "Paste the token from the terminal.",
  submit: "Create account",
} as const;
