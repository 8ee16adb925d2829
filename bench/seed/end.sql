-- The indexes again, and what the planner knows of the tables.
set maintenance_work_mem = '512MB';
select definition from seed.indexes \gexec
drop schema seed cascade;
vacuum (analyze);
