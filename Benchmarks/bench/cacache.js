// put and get of npm's cacache, entry after entry: node cacache.js FOLDER COUNT BYTES
// npm brings its own, Debian a package.
module.paths.push('/usr/lib/node_modules/npm/node_modules', '/usr/share/nodejs')
const cacache = require('cacache')
const [folder, count, size] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])]

async function main () {
  const keys = Array.from({ length: count }, (_, n) => `https://img.example/gallery/${Math.floor(n / 1000)}/picture-${n}.jpg?w=640&q=80`)
  const bodies = keys.map((_, n) => { const body = Buffer.alloc(size); body.writeUInt32LE(n); return body })
  let start = process.hrtime.bigint()
  for (let n = 0; n < count; n++) await cacache.put(folder, keys[n], bodies[n])
  const put = Number(process.hrtime.bigint() - start) / 1e9
  start = process.hrtime.bigint()
  for (let n = 0; n < count; n++) {
    if ((await cacache.get(folder, keys[n])).data.length !== size) throw new Error('wrong body')
  }
  console.log(`put=${put} get=${Number(process.hrtime.bigint() - start) / 1e9}`)
}

main()
