/** The rights of each role, in one line. */
export default {
  owner: "Everything. Only owners appoint owners and delete the account.",
  admin: "Everything except the account itself and its owners: members, service keys, endpoints, budgets.",
  member: "Runs operations, uploads files, retries deliveries, and has personal keys.",
  viewer: "Sees predictions, media, deliveries and usage, and changes nothing.",
  billing: "Sees usage only: no prompts, no media.",
} as const;
