/** Charts over time, of several pages. */
export default {
  noData: "No data in this period",
  drawnWithData: "{label} will be drawn here as soon as there is data.",
  keysMove: "Arrow keys move, Shift and arrow keys select several steps. Enter {effect}.",
  showAsTable: "Show as table",
  asTable: "{label}, as a table",
  from: "From",
  dayInUtc: "{day} (UTC)",
  valuesAt: "{at}: {values}",
  runsInLastDay: "Runs in the last 24 hours",
  opensRequests: "opens the requests",
  succeeded: "succeeded",
  errors: "errors",
  refused: "refused",
} as const;
