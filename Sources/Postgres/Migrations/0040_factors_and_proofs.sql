-- The passwords that an operator replaced since the person chose one: a new password repeats none of them.
alter table passwords add column former_hashes text[] not null default '{}';

drop function if exists keep_migrated_password(uuid, text, text, text, text, text);
