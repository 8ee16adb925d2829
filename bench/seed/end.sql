-- The indexes again, and what the planner knows of the tables.
set maintenance_work_mem = '512MB';
select definition from seed.indexes \gexec
select setval('audit_events_id_seq', (select max(id) from audit_sealed));
drop schema seed cascade;
vacuum (analyze);
