import type { District } from "#gateway/platform/door.ts";
import { installActivity } from "./activity.ts";
import type { MonitoringContext } from "./context.ts";
import { installDoctor } from "./doctor/doctor.ts";
import { installLoad } from "./load.ts";
import { installNodes } from "./nodes.ts";
import { operatorWatch } from "./status/operator-watch.ts";
import { installStatus } from "./status/status.ts";

export const monitoring: District<MonitoringContext, MonitoringContext> = {
  open: (below) => below,
  routes: [installActivity, installDoctor, installLoad, installNodes, installStatus],
  sweeps: [operatorWatch],
};
