import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Makes a self-signed certificate for 127.0.0.1 and localhost with openssl. Returns it and its private key as PEM. */
export function makeCertificate(): { cert: string; key: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'))
  const [certFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')]
  const files = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile, '-out', certFile]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  try {
    const { status, stderr } = spawnSync('openssl', ['req', '-x509', '-days', '30', ...files, ...names], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`openssl failed: ${stderr}`)
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
