import type { AccessContext } from "#gateway/access/context.ts";
import type { District } from "#gateway/platform/door.ts";
import type { FilesContext } from "./context.ts";
import { abandonedPreviewSweep, installPreviews } from "./previews/previews.ts";
import { openStorage } from "./storage/open.ts";
import { reservedFileSweep } from "./storage/remove-files.ts";
import { installFiles } from "./storage/storage.ts";
import { createStorageLimit } from "./storage/storage-limit.ts";
import { followStoreRoom } from "./storage/store-room.ts";
import { uploadHistorySweep, uploadSweep } from "./uploads/expire.ts";
import { uploadTransferSweep } from "./uploads/parts/finish.ts";
import { installUploads } from "./uploads/uploads.ts";

export const files: District<AccessContext, FilesContext> = {
  async open(below, keep) {
    const { config, database, log } = below;
    const { store, scratch } = await openStorage(config);
    keep(scratch);
    keep(store);
    const storeRoom = keep(await followStoreRoom(database, log));
    const storageLimit = createStorageLimit(config, database);
    return { ...below, store: storeRoom.noting(store), scratch, storageLimit, storeRoom };
  },
  routes: [installFiles, installPreviews, installUploads],
  sweeps: [reservedFileSweep, uploadSweep, uploadTransferSweep, abandonedPreviewSweep, uploadHistorySweep],
};
