# Sourced by quire and check: finds a JDK 25 and sets JAVA_HOME to it, or ends with one line that says what to do.

# Whether $1 is a JDK 25: its "release" file says so, and it can compile.
is_jdk_25() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && grep -qE '^JAVA_VERSION="25[."]' "$1/release" 2>/dev/null
}

# The folder of the JDK that the `java` on the PATH belongs to.
jdk_on_path() {
  local java
  java=$(command -v java) || return 1
  while [ -L "$java" ]; do
    local target
    target=$(readlink "$java")
    case $target in /*) java=$target ;; *) java=$(dirname "$java")/$target ;; esac
  done
  (cd "$(dirname "$java")/.." && pwd)
}

use_jdk_25() {
  local home
  for home in \
    "${JAVA_HOME:-}" \
    "$(jdk_on_path)" \
    /usr/lib/jvm/* \
    /usr/local/lib/jvm/* \
    /opt/java/* /opt/jdk* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home \
    "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* \
    "$HOME"/.jdks/*; do
    if [ -n "$home" ] && is_jdk_25 "$home"; then
      export JAVA_HOME=$home
      return
    fi
  done
  echo "${0##*/}: no JDK 25 found: install one (for example Temurin 25) or set JAVA_HOME to it" >&2
  exit 1
}

need_maven() {
  command -v mvn >/dev/null && return
  echo "${0##*/}: no Maven found: install Maven 3.8 or newer and put mvn on the PATH" >&2
  exit 1
}

# Maven 3.8's own libraries use what JDK 25 warns about.
export MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}"
