import type { GraphQLSchema } from 'graphql';
import type { ImportPlan } from '../import/run-import.ts';
import type { Report } from '../import/source/report.ts';
import type { Operation } from './operations.ts';
import type { Values } from './scenario.ts';

interface Issue {
  readonly code?: string;
  readonly message?: string;
  readonly path?: readonly (string | number)[];
}

/** An answer of the graph. */
export interface Answer {
  readonly data?: Values | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions?: {
      readonly code?: string;
      readonly issues?: readonly Issue[];
    };
  }[];
}

/** A service with an organization of its own for one scenario. */
export interface Service {
  readonly schema: GraphQLSchema;
  call(operation: Operation): Promise<Answer>;
  /** Continues the test clocks that are still on their way. */
  carryOn(): Promise<void>;
  /** Gives present customers the alerts of rules. */
  applyAlertRules(): Promise<void>;
  /** Writes the mails that are due, which test mode catches. */
  sendMails(): Promise<void>;
  /** Imports an export of another system. Errors: ImportError for files that are no export. */
  importExport(plan: Omit<ImportPlan, 'applies'>): Promise<Report>;
}
