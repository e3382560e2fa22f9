"""What is looked at before an agent is let run without anybody there."""
