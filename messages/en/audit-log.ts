/** The audit log. The labels of its actions are in `contract/resources.ts`. */
export default {
  title: "Audit log",
  description: "Every change and sign-in: who, when and from where.",
  what: "an audit log",
  askOperator: "Ask the operator for a record of changes.",
  action: "Action",
  anyAction: "Any action",
  noMatch: "No changes match these filters",
  noneYet: "No changes yet",
  appearHere: "Changes appear here as soon as they are made.",
  clearFilters: "Clear filters",
  when: "When",
  who: "Who",
  target: "Target",
  details: "Details",
  ip: "IP address",
  requestId: "Request id",
  actor:
    "({type, select, user {person} key {key} system {gateway} operator {operator (command line)} other {{type}}})",
} as const;
