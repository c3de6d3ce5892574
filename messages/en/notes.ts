/** Notes that colleagues leave beside predictions and deliveries. */
export default {
  notes: "Notes",
  count: "{count, plural, one {# note} other {# notes}}",
  countHeard: "{count, number}<hidden> {count, plural, one {note} other {notes}}</hidden>",
  note: "Note",
  hint: "Plain text of at most {count, number} characters. Everybody in the account who sees this page can read it.",
  writeFirst: "Write the note first.",
  leaveANote: "Leave a note",
  leaveNote: "Leave note",
  saveChanges: "Save changes",
  changed: "changed <time></time>",
  change: "Change the note of {name}",
  delete: "Delete the note of {name}",
  theNote: "the note",
  somebody: "Somebody",
} as const;
