/** What guards said about a run, on the page of its request. */
export default {
  title: "Guards that were asked",
  guard: "Guard",
  account: "Of this account",
  installation: "Of this installation",
  stage: "About",
  input: "the input",
  output: "the output",
  answer: "Answer",
  allowed: "Allowed",
  blocked: "Blocked",
  replaced: "Replaced",
  failed: "Failed",
  time: "Time",
  inputReplaced:
    "The guard replaced the input. The log, the contents and the receipt are about the input that ran.",
  outputReplaced: "The guard replaced the output, so the caller got other text than the model wrote.",
  open: "Open the guard",
} as const;
