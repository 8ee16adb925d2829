-- Rows that a server writes to test whether changes succeed again after failures: see probe_writes.
create table write_probes (
    at     timestamptz not null default now(),
    filler bytea not null
);
alter table write_probes alter column filler set storage external;
