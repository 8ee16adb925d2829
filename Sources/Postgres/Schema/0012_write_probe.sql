-- Rows that a server writes while other changes fail, to find out when they succeed again: see probe_writes.
create table write_probes (
    at     timestamptz not null default now(),
    filler bytea not null
);
alter table write_probes alter column filler set storage external;
