/** Reports of strangers about shared files, and the decisions about them. */
export default {
  fileRemovedAndBarred: "File removed and barred.",
  reportDismissed: "Report dismissed.",
  removeFile: "Remove file",
  dismissReport: "Dismiss report",
  removeThisFileAndBar: "Remove this file and bar it?",
  reportOfModel: "Report of {model}",
  openTheSharedPage: "Open the shared page",
  nobodyCanKeepIt: "{removes} Nobody can keep, share, copy or upload it again. This cannot be undone.",
  statusNamed: "{status, select, open {Open} removing {Removing} removed {Removed} other {Dismissed}}",
  statusMeans:
    "{status, select, open {Nobody has decided yet} removing {The file is barred, and its copies are being deleted} removed {The file was removed and is barred} other {The file stays}}",
  reasonNamed:
    "{reason, select, intimate {An intimate image, shown without consent} person {It shows or imitates a person who does not want that} illegal {It is illegal} copyright {It violates a copyright or trademark} other {Something else}}",
  reported: "Reported",
  answerTo: "Answer to",
  file: "File",
  theLinkNoLongerWorks: "The link no longer works",
  model: "Model",
  decided: "Decided",
  deleted: "Deleted",
  storedFiles: "{count, plural, one {# stored file} other {# stored files}}",
  id: "Id",
} as const;
