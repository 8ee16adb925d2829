-- Writes enough to need new pages, so that a full disk makes it fail.
-- Locks: write_probes.
create or replace function probe_writes() returns void language sql as $$
    delete from write_probes;
    insert into write_probes (filler) values (decode(repeat('00', 16384), 'hex'));
$$;
