/** Signing in, with its second step. */
export default {
  pageTitle: "Sign in",
  description: "Run models, and see what ran, what it cost and where its results are.",
  sessionExpired: "Your session has ended. Sign in to continue where you left off.",
  alreadySetUp:
    "Gatehouse is already set up, and its set-up link works only once. Sign in with the account that was created.",
  withProvider: "Sign in with {name}",
  forgot: "Forgot your password?",
  resetByEmail: "Reset it by e-mail",
  resetByColleague: "An owner or admin of your account can create a reset link for you.",
  method: "Sign-in method",
  accountKey: "Account key",
  keyHint:
    "The key is stored in an encrypted cookie that scripts cannot read. Attestations require e-mail and password.",
  submit: "Sign in",
  submitKey: "Sign in with key",
  usePasskey: "Use a passkey",
  confirmPasskey: "Confirm with the passkey that you added to your account.",
  code: "Code",
  codeHint: "Enter the six digits from your authenticator app.",
  useApp: "Use the authenticator app",
  recoveryCode: "Recovery code",
  recoveryHint: "Enter one of the ten codes that you stored. Each works once.",
  useRecoveryCode: "Use a recovery code",
  next: "Continue",
} as const;
