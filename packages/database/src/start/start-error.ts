/** A failed start, reported as one line to the operator: the cause and the remedy, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

/** A StartError for an error of the file system at `path`. Returns any other error unchanged. */
export function fileError(error: unknown, path: string): unknown {
  const sentence = sentenceOf(error, path)
  return sentence === undefined ? error : new StartError(sentence, { cause: error })
}

function sentenceOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'EACCES' || error.code === 'EPERM') return `${path} cannot be written by this user.`
  if (error.code === 'EROFS') return `${path} is on a read-only file system.`
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST') return `${path} is not a folder.`
  if (error.code === 'ENOENT') return `${path} cannot be created: part of the path does not exist.`
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return `The disk of ${path} is full.`
  if (error.code === 'EIO' || error.code === 'ESTALE') return `The disk of ${path} has an error: ${error.code}.`
  if (error.code === 'ENAMETOOLONG') return `${path} is too long a path.`
  return undefined
}
