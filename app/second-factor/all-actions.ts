import {
  beginPasskey,
  beginTotp,
  confirmTotp,
  createPasskey,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewCodes,
} from "./actions.ts";

/** What the sections of a second factor do, wherever they are shown. */
export const secondFactorActions = {
  beginPasskey,
  beginTotp,
  confirmTotp,
  createPasskey,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewCodes,
};
