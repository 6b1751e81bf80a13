import type { GeneratedMoment } from './column-types.ts'

export type ArchiveTables = {
  audit_archives: {
    month: string
    first_seq: number
    last_seq: number
    hash_before: Buffer
    hash_after: Buffer
    file_sha256: Buffer
    archived_at: GeneratedMoment
  }
}
