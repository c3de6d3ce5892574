import type { District } from "#gateway/platform/door.ts";
import type { WorkspaceContext } from "./context.ts";
import { conversationHistorySweep, installConversations } from "./conversations/conversations.ts";
import { copyHistorySweep, installCopies } from "./copies/copies.ts";
import { destinationSealSweep } from "./copies/seal.ts";
import { startCopies } from "./copies/worker/worker.ts";
import { installLibrary, keptOutputSweep } from "./library/library.ts";
import { installNotes } from "./notes.ts";
import { presetMediaSweep } from "./presets/input.ts";
import { installPresets } from "./presets/presets.ts";
import { removalSweep } from "./reports/remove-identical.ts";
import { installReports, reportSweep } from "./reports/reports.ts";
import { installShares, shareSweep } from "./shares/shares.ts";
import { installViews } from "./views.ts";

export const workspace: District<WorkspaceContext, WorkspaceContext> = {
  open: (below) => below,
  routes: [
    installShares,
    installReports,
    installCopies,
    installPresets,
    installConversations,
    installNotes,
    installViews,
    installLibrary,
  ],
  // With quiet on, copies wait in the database.
  workers: [(context, { copyAgain }) => (context.config.quiet ? null : startCopies(context, copyAgain))],
  sweeps: [
    shareSweep,
    removalSweep,
    reportSweep,
    copyHistorySweep,
    destinationSealSweep,
    presetMediaSweep,
    conversationHistorySweep,
    keptOutputSweep,
  ],
};
