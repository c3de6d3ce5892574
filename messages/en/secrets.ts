/** Secrets that are shown once, and the dialog that replaces one. */
export default {
  rotateTheSigningSecret: "Rotate the signing secret?",
  aNewSecretIsCreated:
    "A new secret is created and shown only once. Have a safe place ready to store the secret.",
  cancel: "Cancel",
  createNewSecret: "Create new secret",
  keepTheOldSecretValid: "Keep the old secret valid for",
  overlapDay: "24 hours",
  overlapDayHint: "For a planned change.",
  overlapHour: "1 hour",
  overlapHourHint: "For a change that is ready to roll out.",
  overlapWeek: "7 days",
  overlapWeekHint: "For several receivers updated one at a time.",
  overlapNone: "None",
  overlapNoneHint: "For a secret that has leaked. All earlier secrets stop working immediately.",
  yourReceiverWillRejectDeliveries:
    "Your receiver will reject deliveries until it has the new secret. Rejected deliveries are retried automatically.",
  bothSignaturesUntil:
    "Each delivery has both signatures until <time></time>. After that, the old secret is no longer valid. Earlier secrets expire as planned. If the endpoint has a key pair, the pair is replaced as well.",
  callbackSecret: "callback secret",
  storeTheNameNow: "Store the {name} now",
  theSecretIsShownOnly: "The secret is shown only once and cannot be retrieved later.",
  done: "Done",
  iHaveStoredItIn: "I have stored it in a safe place",
  leaveWithoutTheNameIt:
    "Leave without the {name}? It cannot be shown again, so you would have to create a new one.",
  closeWithoutSaving: "Close without saving",
  goBack: "Go back",
  hide: "Hide",
  reveal: "Reveal",
  copy: "Copy",
  copyTheName: "Copy the {name}",
  downloadAsEnvLine: "Download as .env line",
  copiedToTheClipboard: "Copied to the clipboard.",
  couldNotCopy: "Could not copy. Select the text and copy it manually.",
  downloadedLine: "Downloaded a file with the line {envName}=…",
} as const;
