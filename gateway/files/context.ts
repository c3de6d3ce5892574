import type { AccessContext } from "#gateway/access/context.ts";
import type { ObjectStore } from "./storage/object-store.ts";
import type { Scratch } from "./storage/scratch.ts";
import type { StorageLimit } from "./storage/storage-limit.ts";
import type { StoreRoom } from "./storage/store-room.ts";

export interface FilesContext extends AccessContext {
  store: ObjectStore;
  scratch: Scratch;
  storageLimit: StorageLimit;
  storeRoom: StoreRoom;
}
