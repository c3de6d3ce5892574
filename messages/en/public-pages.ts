/** The public pages: shared outputs, status and the documentation. */
export default {
  signIn: "Sign in",
  thisLinkDoesNotWork: "This link does not work",
  thisLinkNoLongerWorks: "This link no longer works",
  theLinkHasExpiredOr:
    "The link has expired or was revoked, its file was removed, or part of the address is missing. Ask the sender for a new one.",
  sharedLink: "Shared link",
  attestFirst: "Attest first",
  theModelThatMadeThis:
    "The model that made this output requires an attestation from the viewer. Give the attestation, then open the link again.",
  openAttestations: "Open attestations",
  signInToSeeThis: "Sign in to see this output",
  thisFileWasRemoved: "This file was removed.",
  madeWithAi: "Made with AI",
  download: "Download",
  prompt: "Prompt",
  whereItComesFrom: "Where it comes from",
  documentation: "Documentation",
  search: "Search",
  words: "Words",
  console: "Console",
  asMarkdown: "As Markdown",
  outputOfModel: "Output of {model}",
  madeWith: "Made with {models}",
  onlyPeopleCanOpen:
    "Only people can open this link, and you are signed in with an account key. Sign out, then sign in with your e-mail address.",
  onlySignedInPeople:
    "The model that made this output requires attestations, so only signed-in people who have given them can open the link.",
  sharedComparison: "Shared comparison",
  sharedKind: "Shared {kind, select, image {image} video {video} audio {sound} other {file}}",
  thisLinkWorksUntil: "This link works until <time></time>.",
  made: "made <time></time>",
  theFileWillBeRemoved: "the file will be removed <time></time>",
  publicStatus: "Public status",
  noChapterFound: "No chapter has all of these words. Try fewer words.",
  inEnglishOnly: "This text is in English.",
  table: "Table",
} as const;
