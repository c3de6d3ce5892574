import { Type } from "typebox";
import { NoQuery } from "../list.ts";
import {
  OperatorModel,
  OperatorModelCreate,
  OperatorModelDeleted,
  OperatorModelList,
  OperatorModelProposal,
  OperatorModelQuery,
  OperatorModelRevisionList,
  OperatorModelUpdate,
} from "../operator/models.ts";
import type { Routes } from "./route.ts";

const name = { namespace: Type.String(), name: Type.String() };
const Params = Type.Object(name);
const RevisionParams = Type.Object({ ...name, revision: Type.Integer({ minimum: 1 }) });

export const operatorModelRoutes = {
  "GET /operator/models": {
    summary: "List all entries of the catalog with the operators' settings",
    operator: true,
    extension: true,
    query: OperatorModelQuery,
    answers: { 200: OperatorModelList },
  },
  "POST /operator/models": {
    summary: "Add an entry from a template, or import a model; with `dry_run`, only show the entry",
    operator: true,
    extension: true,
    body: OperatorModelCreate,
    answers: { 200: OperatorModelProposal, 201: OperatorModel },
  },
  "GET /operator/models/{namespace}/{name}": {
    summary: "Read an entry with the operators' settings",
    operator: true,
    extension: true,
    params: Params,
    query: NoQuery,
    answers: { 200: OperatorModel },
  },
  "PATCH /operator/models/{namespace}/{name}": {
    summary: "Change an entry; for one of the specification, only its name and visibility",
    operator: true,
    extension: true,
    byClick: true,
    params: Params,
    body: OperatorModelUpdate,
    answers: { 200: OperatorModel },
  },
  "DELETE /operator/models/{namespace}/{name}": {
    summary: "Remove an operator's entry from the catalog",
    operator: true,
    extension: true,
    byClick: true,
    params: Params,
    answers: { 200: OperatorModelDeleted, 202: OperatorModelDeleted },
  },
  "GET /operator/models/{namespace}/{name}/revisions": {
    summary: "List the revisions of an entry",
    operator: true,
    extension: true,
    params: Params,
    query: NoQuery,
    answers: { 200: OperatorModelRevisionList },
  },
  "POST /operator/models/{namespace}/{name}/revisions/{revision}/restore": {
    summary: "Restore an earlier revision of an entry, as a new revision",
    operator: true,
    extension: true,
    byClick: true,
    params: RevisionParams,
    answers: { 200: OperatorModel },
  },
} as const satisfies Routes;
