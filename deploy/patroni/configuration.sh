# shellcheck shell=bash
# The configuration of Patroni, one file for each member. cluster.sh and bench/chaos source this file and set its variables.

# write_configuration NAME: writes NAME.yml.
write_configuration() {
    local index=$((${1#db} - 1))
    configuration "$1" $((port + index)) $((rest_port + index)) | private_file "$folder/$1.yml"
}

# Bootstrap holds for the first start of the cluster alone: `patronictl edit-config` changes it later.
# Each member is on the loopback, unless `host`, `etcd_host` and `network` name machines of their own.
configuration() {
    local host=${host:-127.0.0.1} etcd_host=${etcd_host:-127.0.0.1} network=${network:-127.0.0.1/32}
    cat <<END
scope: login
name: $1
restapi:
  listen: $host:$3
  connect_address: $host:$3
  authentication:
    username: patroni
    password: $rest_password
etcd3:
  hosts: $etcd_host:$etcd_port
bootstrap:
  dcs:
    # loop_wait + 2 * retry_timeout must fit into ttl.
    ttl: $ttl
    loop_wait: 2
    retry_timeout: $((ttl / 4))
    # No commit is acknowledged that a replica lacks, and only such a replica is promoted.
    synchronous_mode: true
    synchronous_mode_strict: true
    synchronous_node_count: 1
    # While etcd is gone, the primary goes on as long as it reaches every other member.
    failsafe_mode: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        synchronous_commit: 'on'
        wal_level: replica
        hot_standby: 'on'
        max_connections: 100
        max_wal_senders: 10
        max_replication_slots: 10
        password_encryption: scram-sha-256
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums
    - auth: scram-sha-256
postgresql:
  listen: $host:$2
  connect_address: $host:$2
  data_dir: $folder/$1.data
  bin_dir: $cluster_bin
  pgpass: $folder/$1.pgpass
  authentication:
    superuser:
      username: postgres
      password: $postgres_password
    replication:
      username: replicator
      password: $replicator_password
    rewind:
      username: rewind
      password: $rewind_password
  parameters:
    unix_socket_directories: ''
  pg_hba:
    - local all all reject
    - host replication replicator $network scram-sha-256
    - host all all $network scram-sha-256
# On loopback there is no machine to cut off: production requires a watchdog.
watchdog:
  mode: 'off'
tags:
  nofailover: false
  nosync: false
END
}
