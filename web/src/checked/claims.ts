import type { Claim, ClaimId } from "./claim";
import { document000 } from "./document-000";
import { document001 } from "./document-001";
import { document002 } from "./document-002";
import { document003 } from "./document-003";
import { document004 } from "./document-004";

export const claims: Readonly<Record<ClaimId, Claim>> = {
  ...document000,
  ...document001,
  ...document002,
  ...document003,
  ...document004,
};
