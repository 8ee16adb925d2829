-- The indexes again, and what the planner knows of the tables.
set maintenance_work_mem = '512MB';
select definition from seed.indexes \gexec
insert into search_terms (kind, term, account_id)
select t.kind, t.term, a.id from accounts a cross join lateral account_search_terms(a.id) t
-- The accounts of a gateway that ran on this database have theirs.
on conflict do nothing;
select setval('audit_events_id_seq', (select max(id) from audit_sealed));
drop schema seed cascade;
-- A page counts as visible to all only when the commits of its rows are on disk. Otherwise an index scan reads the table, too.
set synchronous_commit = on;
select pg_logical_emit_message(true, 'seed', '');
vacuum (analyze);
