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

/** The server actions of the second factor sections. */
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
