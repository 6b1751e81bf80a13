/** Why a process cannot start, said in one line to the person at the terminal: a cause and what to do, no stack. */
export class StartError extends Error {
  override name = 'StartError'
}

/** The database has migrations unknown to this release. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError'
}

/** Turns what the file system says about `path` into such a line; any other error comes back as it is. */
export function fileError(error: unknown, path: string): unknown {
  const sentence = sentenceOf(error, path)
  return sentence === undefined ? error : new StartError(sentence, { cause: error })
}

function sentenceOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'EACCES' || error.code === 'EPERM') return `${path} cannot be written by this user.`
  if (error.code === 'EROFS') return `${path} is on a read-only file system.`
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST') return `${path} is not a folder.`
  if (error.code === 'ENOENT') return `${path} cannot be made: part of the path leads nowhere.`
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return `The disk of ${path} is full.`
  if (error.code === 'ENAMETOOLONG') return `${path} is too long a path.`
  return undefined
}
