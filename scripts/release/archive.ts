import { execFileSync } from 'node:child_process'

/**
 * Writes `name`, a folder of `parent`, to a gzip-compressed tar file. Equal contents make equal bytes: the order, the
 * owner, the times (`seconds` since 1970) and the modes do not depend on the machine. Needs GNU tar.
 */
export function writeArchive(
  file: string,
  { parent, name, seconds }: { parent: string; name: string; seconds: number },
) {
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', `--mtime=@${seconds}`]
  const compressed = ['--format=gnu', '--use-compress-program=gzip --no-name']
  execFileSync('tar', ['--create', `--file=${file}`, `--directory=${parent}`, ...same, ...compressed, name])
}
