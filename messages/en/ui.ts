/** The primitives of all pages: lists, fields, dialogs, failures. */
export default {
  notOffered: "This gateway does not offer {what}",
  notOfferedBrief: "This gateway does not offer {what}.",
  noFilter: "This page has no filter “{name}”.",
  noFilterMeant: "This page has no filter “{name}”. Did you mean “{meant}”?",
  noFilterValue: "The filter “{name}” does not have the value “{value}”, so it is ignored.",
  shownWithoutFilter: "The list is shown without it.",
} as const;
